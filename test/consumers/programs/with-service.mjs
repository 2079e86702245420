// Starts `rowkey serve` on the runtime of this program, runs a command with its connection string in TABLES, and
// stops the service, which must end with 0.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('command.mjs', import.meta.resolve('rowkey')))
const service = spawn(process.execPath, [command, 'serve', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const connectionString = await new Promise((resolve, reject) => {
  let printed = ''
  service.stdout.on('data', (chunk) => {
    printed += chunk
    const [found] = /\S*AccountKey=\S*/.exec(printed) ?? []
    if (found !== undefined && printed.endsWith('\n')) resolve(found)
  })
  service.on('exit', (code) => reject(new Error(`rowkey serve ended with ${code}: ${printed}`)))
})

const [program, ...args] = process.argv.slice(2)
const child = spawn(program, args, {
  stdio: 'inherit',
  env: { ...process.env, TABLES: connectionString },
})
child.on('error', (error) => {
  console.error(error)
  service.kill()
})
child.on('exit', (code) => {
  service.removeAllListeners('exit')
  service.on('exit', (served, signal) => {
    if (served !== 0) console.error(`rowkey serve ended with ${served ?? signal} after SIGTERM`)
    process.exit(served === 0 ? (code ?? 1) : 1)
  })
  service.kill('SIGTERM')
})
