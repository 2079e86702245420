/**
 * Plays the meetings of every three features: all triples of models, writes, conditions, guarantees, troubles, concurrent
 * programs and services. It fails when a call said something that is not so. The test suite plays all pairs.
 *
 *     npm run tool meetings                                        # a new seed each time; prints it
 *     npm run tool meetings -- --strength 2 --seed 42
 *     npm run tool meetings -- --only "class × merge × * × exact × none × no other program × memory"
 */
import { parseArgs } from 'node:util'
import { meetingsOf, parseMeeting, printMeeting } from '../test/meetings/cells.ts'
import { play } from '../test/meetings/play.ts'
import { RunningServices } from '../test/meetings/running-services.ts'

const { values } = parseArgs({
  options: {
    strength: { type: 'string', default: '3' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const meetings =
  values.only === undefined
    ? meetingsOf(Number(values.strength), seed)
    : [parseMeeting(values.only)]
console.log(`seed ${seed}: ${meetings.length} meetings`)

const services = new RunningServices()
await services.start()
let wrong = 0
for (const [index, meeting] of meetings.entries()) {
  const { found } = await play(meeting, services.of(meeting.service)).catch((error: unknown) => ({
    found: [String(error)],
  }))
  if (found.length > 0) {
    wrong++
    process.exitCode = 1
    console.error(`${printMeeting(meeting)}\n  ${found.join('\n  ')}`)
  }
  if ((index + 1) % 500 === 0) console.log(`${index + 1} meetings`)
}
await services.close()
console.log(`${meetings.length} meetings, ${wrong} wrong, from seed ${seed}`)
