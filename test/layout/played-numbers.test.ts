import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from './source-files.ts'

/** The numbers that a pattern finds in a file, without their separators of thousands. */
function numbersIn(path: string, pattern: RegExp): readonly number[] {
  const found = pattern.exec(readFileSync(root + path, 'utf8').replaceAll(/\s+/g, ' '))
  if (found === null) throw new Error(`${path} has no ${pattern}`)
  return found.slice(1).map((number) => Number(number.replaceAll(/[,_]/g, '')))
}

const numberIn = (path: string, pattern: RegExp): number => numbersIn(path, pattern)[0] ?? 0

/** `npm test` plays one case in so many. */
const oneIn = numberIn('test/support/cases-to-play.ts', /ONE_CASE_IN \?\? (\d+)/)
const histories = {
  tests: numberIn('test/patterns/derived/histories.test.ts', /seedsFrom\(1, (\d+)\)/),
  landing: numberIn('scripts/check.ts', /'--histories', '(\d+)'/),
  push: numberIn('.github/workflows/ci.yml', /--histories (\d+)/),
}
const randomWrites = 'test/patterns/indexes/random-writes.test.ts'
const simulation = 'scripts/nightly-simulation.ts'
const kills = {
  each: numberIn('test/mapper/bulk/journal/kills.test.ts', /SEEDS = randomSteps\((\d+)\)/),
  nightly: numberIn(simulation, /imports: \{ type: 'string', default: '(\d+)'/),
  kinds: readFileSync(`${root}test/mapper/bulk/journal/killed-imports.ts`, 'utf8').match(
    /^ {4}run: /gm,
  )?.length as number,
}

it.each([
  {
    page: 'CONTRIBUTING.md',
    says: /\| histories of indexes and sums \| (\d+) \| ([\d,]+) more \| ([\d,]+) more \|/,
    played: [Math.ceil(histories.tests / oneIn), histories.landing, histories.push],
  },
  {
    page: 'docs/patterns/indexes.md',
    says: /`npm test` plays (\d+), `npm run check` ([\d,]+), and each push ([\d,]+):/,
    played: [
      Math.ceil(histories.tests / oneIn),
      histories.tests + histories.landing,
      histories.tests + histories.push,
    ],
  },
  {
    page: 'docs/patterns/indexes.md',
    says: /`npm run check` runs (\d+) builds and ([\d,]+) racing updates/,
    played: [
      numberIn(randomWrites, /BUILDS = randomSteps\(([\d_]+)\)/),
      numberIn(randomWrites, /UPDATES = randomSteps\(([\d_]+)\)/),
    ],
  },
  {
    page: 'docs/project/reliability.md',
    says: /`npm run check` makes ([\d,]+) calls, `npm test` a twentieth of them, and a nightly job ([\d,]+)/,
    played: [
      numberIn('test/rest/simulation/simulation.test.ts', / CALLS = randomSteps\(([\d_]+)\)/),
      numberIn(simulation, /calls: \{ type: 'string', default: '(\d+)'/),
    ],
  },
  {
    page: 'docs/project/reliability.md',
    says: /(\d+) imports; a nightly job makes ([\d,]+);/,
    played: [kills.each * kills.kinds, kills.nightly * kills.kinds],
  },
])('$page says what tests play: $says', ({ page, says, played }) => {
  expect(numbersIn(page, says)).toEqual(played)
})
