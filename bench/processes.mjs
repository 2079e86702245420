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

/** Starts a program that answers each message with one. */
export async function startChild(file, args = []) {
  const child = fork(pathOf(file), args)
  const greeting = await greetingOf(child)
  return {
    greeting,
    stop: () => child.kill(),
    /** Sends a message and resolves to the response. */
    async ask(message) {
      child.send(message)
      const [answer] = await once(child, 'message')
      return answer
    },
  }
}

export async function startService(file = 'canned-service.mjs') {
  const { greeting, ...service } = await startChild(file)
  return { ...service, endpoint: `http://127.0.0.1:${greeting.port}/${ACCOUNT}` }
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
