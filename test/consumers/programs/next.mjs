// Starts the built application and asks its route once.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address()
    probe.close(() => resolve(port))
  })
})
const next = '../../node_modules/next/dist/bin/next'
const server = spawn(process.execPath, [next, 'start', '-p', String(port), '-H', '127.0.0.1'], {
  stdio: 'inherit',
})
try {
  const response = await responseOf()
  console.log(await response.text())
  process.exitCode = response.ok ? 0 : 1
} finally {
  server.kill()
}

/** Asks until the server listens. */
async function responseOf(attempts = 100) {
  try {
    return await fetch(`http://127.0.0.1:${port}/api/readme`)
  } catch (error) {
    if (attempts === 0) throw error
    await sleep(100)
    return responseOf(attempts - 1)
  }
}
