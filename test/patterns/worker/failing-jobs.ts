import { memoryQueue, worker } from '@rowkey/patterns'
import { office } from '../employees.ts'

/** A queue of jobs that fail as often as their payload says, and the times of their attempts. */
export function failing(attempts = 3) {
  const clock = office()
  const now = () => clock.now
  const begun = clock.now
  const seen: [attempt: number, at: number][] = []
  const jobs = worker<{ fail: number }>({
    queue: () => memoryQueue('jobs', { now }),
    deadLetters: () => memoryQueue('dead', { now }),
    attempts,
    handlers: {
      async fail(times, { attempt }) {
        seen.push([attempt, clock.now - begun])
        if (attempt <= times) throw new TypeError(`failed ${attempt}`)
      },
    },
  }).on(clock.account)
  return { jobs, seen }
}
