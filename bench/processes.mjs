import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ACCOUNT } from './fixture.mjs'

const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url))

/** The first message of a process that has started. */
async function greetingOf(child) {
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${code} before it was ready`)
  })
  const [greeting] = await Promise.race([once(child, 'message'), exit])
  exit.catch(() => {})
  return greeting
}

export async function startService() {
  const child = fork(pathOf('canned-service.mjs'))
  const { port } = await greetingOf(child)
  return { endpoint: `http://127.0.0.1:${port}/${ACCOUNT}`, stop: () => child.kill() }
}

export async function startClient(adapter, endpoint) {
  const child = fork(pathOf('worker.mjs'), [pathOf(`adapters/${adapter}.mjs`), endpoint])
  const { name } = await greetingOf(child)
  let id = 0
  return {
    name,
    stop: () => child.kill(),
    /** Runs one job at a time and resolves to its result. */
    async do(job, input = {}) {
      id += 1
      child.send({ id, job, ...input })
      const [answer] = await once(child, 'message')
      if (answer.failure !== undefined) throw new Error(`${name}: ${answer.failure}`)
      return answer
    },
  }
}
