// Runs worker.mjs in workerd with and without the modules of Node, and asks each once.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import workerd from 'workerd'

const ports = { yes: await freePort(), no: await freePort() }
const workers = [
  ['yes', '["nodejs_compat"]'],
  ['no', '[]'],
].map(
  ([signs, flags]) => `(name = "${signs}", worker = (
      modules = [(name = "worker", esModule = embed "out/worker.mjs")],
      compatibilityDate = "2025-10-01",
      compatibilityFlags = ${flags},
      bindings = [(name = "TABLES", fromEnvironment = "TABLES"), (name = "SIGNS", text = "${signs}")],
      globalOutbound = "network",
    )),`,
)
const sockets = Object.entries(ports).map(
  ([name, port]) =>
    `(name = "${name}", address = "127.0.0.1:${port}", http = (), service = "${name}"),`,
)
writeFileSync(
  'workerd.capnp',
  `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${workers.join('\n    ')}
    (name = "network", network = (allow = ["private"])),
  ],
  sockets = [${sockets.join(' ')}],
);
`,
)
const server = spawn(workerd.default, ['serve', 'workerd.capnp'], { stdio: 'inherit' })
try {
  for (const port of Object.values(ports)) {
    const response = await answer(port)
    console.log(await response.text())
    if (!response.ok) process.exitCode = 1
  }
} finally {
  server.kill()
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

/** Asks until the worker listens. */
async function answer(port, attempts = 100) {
  try {
    return await fetch(`http://127.0.0.1:${port}/`)
  } catch (error) {
    if (attempts === 0) throw error
    await sleep(100)
    return answer(port, attempts - 1)
  }
}
