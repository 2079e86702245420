// Starts the built application, and asks its routes and its page once.
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
  for (const path of ['/api/readme', '/customers', '/api/customers']) {
    const response = await responseOf(path)
    // React separates texts by empty comments.
    console.log((await response.text()).replaceAll('<!-- -->', ''))
    if (!response.ok) process.exitCode = 1
  }
} finally {
  server.kill()
}

/** Asks until the server listens. */
async function responseOf(path, attempts = 100) {
  try {
    return await fetch(`http://127.0.0.1:${port}${path}`)
  } catch (error) {
    if (attempts === 0) throw error
    await sleep(100)
    return responseOf(path, attempts - 1)
  }
}
