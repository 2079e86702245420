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

const histories = {
  landing: numberIn('scripts/check.ts', /'--histories', '(\d+)'/),
  push: numberIn('.github/workflows/ci.yml', /--histories (\d+)/),
}
const simulation = 'scripts/nightly-simulation.ts'
const kills = {
  each: numberIn('test/mapper/bulk/kills.test.ts', /SEEDS = randomSteps\((\d+)\)/),
  nightly: numberIn(simulation, /imports: \{ type: 'string', default: '(\d+)'/),
  kinds: readFileSync(`${root}test/mapper/bulk/killed-imports.ts`, 'utf8').match(/^ {4}run: /gm)
    ?.length as number,
}

it.each([
  {
    page: 'CONTRIBUTING.md',
    says: /\| histories of indexes and sums \| \d+ \| ([\d,]+) more \| ([\d,]+) more \|/,
    played: [histories.landing, histories.push],
  },
  {
    page: 'docs/reliability.md',
    says: /`npm run check` makes ([\d,]+) calls, `npm test` a twentieth of them, and a nightly job ([\d,]+)/,
    played: [
      numberIn('test/rest/simulation/simulation.test.ts', / CALLS = randomSteps\(([\d_]+)\)/),
      numberIn(simulation, /calls: \{ type: 'string', default: '(\d+)'/),
    ],
  },
  {
    page: 'docs/reliability.md',
    says: /(\d+) imports; a nightly job makes ([\d,]+);/,
    played: [kills.each * kills.kinds, kills.nightly * kills.kinds],
  },
])('$page says what tests play: $says', ({ page, says, played }) => {
  expect(numbersIn(page, says)).toEqual(played)
})
