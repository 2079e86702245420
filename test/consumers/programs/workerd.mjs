// Runs worker.mjs in workerd, and asks it once.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import workerd from 'workerd'

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address()
    probe.close(() => resolve(port))
  })
})
writeFileSync(
  'workerd.capnp',
  `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "out/worker.mjs")],
      compatibilityDate = "2025-10-01",
      bindings = [(name = "TABLES", fromEnvironment = "TABLES")],
      globalOutbound = "network",
    )),
    (name = "network", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
)
const server = spawn(workerd.default, ['serve', 'workerd.capnp'], { stdio: 'inherit' })
try {
  const response = await answer()
  console.log(await response.text())
  process.exitCode = response.ok ? 0 : 1
} finally {
  server.kill()
}

/** Asks until the worker listens. */
async function answer(attempts = 100) {
  try {
    return await fetch(`http://127.0.0.1:${port}/`)
  } catch (error) {
    if (attempts === 0) throw error
    await sleep(100)
    return answer(attempts - 1)
  }
}
