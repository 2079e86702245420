/**
 * A rolling deployment: two programs, the old and the new one, use the same rows at the same time. What the old one changes
 * shows in the new one, and what only the new one knows stays.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/13-rolling-deployment/main.ts
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { startLocalService } from '@rowkey/local'

const { TABLES } = process.env
const service = TABLES === undefined ? await startLocalService({ port: 0 }) : undefined
const env = {
  ...process.env,
  TABLES: TABLES ?? service?.connectionString,
  // A new name, so that your own tables stay untouched.
  TABLE: `people${Date.now()}`,
}
const start = (file: string) => fork(new URL(file, import.meta.url), { env })
const programs = { old: start('./old-program.ts'), new: start('./new-program.ts') }

async function tell(program: keyof typeof programs, step: string): Promise<void> {
  programs[program].send(step)
  const [done] = await once(programs[program], 'message')
  console.log(`The ${program} program ${done}`)
}

await tell('old', 'begin')
await tell('new', 'name')
await tell('old', 'rename')
await tell('new', 'read')
await tell('old', 'overwrite')
await tell('old', 'add')
await tell('new', 'upgrade')

for (const program of Object.values(programs)) program.kill()
await service?.close()
