/**
 * A rolling deployment: two programs, the old and the new one, use the same rows at the same time. What the old one changes
 * shows in the new one, and what only the new one knows stays.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/13-rolling-deployment/main.ts
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { startLocalService } from '@rowkey/local'
import { newProgram } from './new-program.ts'
import { oldProgram } from './old-program.ts'
import { serveSteps } from './serve-steps.ts'

const programs = { old: oldProgram, new: newProgram }
type Name = keyof typeof programs

const [, file = '', name] = process.argv
// Each program is a process of its own.
if (name === 'old' || name === 'new') serveSteps(programs[name]())
else await deploy()

async function deploy(): Promise<void> {
  const { TABLES } = process.env
  const service = TABLES === undefined ? await startLocalService({ port: 0 }) : undefined
  const env = {
    ...process.env,
    TABLES: TABLES ?? service?.connectionString,
    // A new name, so that your own tables stay untouched.
    TABLE: `people${Date.now()}`,
  }
  const running = { old: fork(file, ['old'], { env }), new: fork(file, ['new'], { env }) }
  const tell = async (program: Name, step: string) => {
    running[program].send(step)
    const [done] = await once(running[program], 'message')
    console.log(`The ${program} program ${done}`)
  }
  await tell('old', 'begin')
  await tell('new', 'name')
  await tell('old', 'rename')
  await tell('new', 'read')
  await tell('old', 'overwrite')
  await tell('old', 'add')
  await tell('new', 'upgrade')
  for (const each of Object.values(running)) each.kill()
  await service?.close()
}
