import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packageNames, root } from './source-files.ts'

/** The files that may set timers, and why. */
const KNOWN: Readonly<Record<string, string>> = {
  'local/http/listeners.test.ts':
    'A client writes until the listener, whose limits are real timers, cuts it off.',
  'patterns/ended-calls.test.ts': 'The timers are fake.',
  'rest/simulation/virtual-time.ts': 'The loader of modules works in another thread.',
  'support/fault-proxy.ts': 'A response on a real socket comes late.',
}

/** Sets a timer. A test that waits for one fails on a busy machine, or is slow. */
const TIMER = /\bset(?:Timeout|Interval)\(|import \{[^}]*\bset(?:Timeout|Interval)\b/

it('no test waits on real time', () => {
  const found = [...packageNames, 'support', 'meetings', 'conformance'].flatMap((folder) =>
    readdirSync(`${root}test/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`)
      .filter((path) => TIMER.test(readFileSync(`${root}test/${path}`, 'utf8'))),
  )
  expect(found.toSorted()).toEqual(Object.keys(KNOWN))
})
