/**
 * Lists the requirements of docs/project/requirements.md that have no test: no test title contains their number.
 * With `--strict`, the run fails when a requirement has no test or a title has an unknown number.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Maps the number of each requirement to its text. */
function readRequirements(): ReadonlyMap<string, string> {
  const text = readFileSync(`${root}docs/project/requirements.md`, 'utf8')
  return new Map(
    Array.from(text.matchAll(/^- (R-\d+): (.*)$/gm), ([, number = '', line = '']) => [
      number,
      line,
    ]),
  )
}

/** Collects the numbers in all test titles: `R-22: …` and `R-22, R-23: …`. */
function readTitles(): ReadonlySet<string> {
  const numbers = new Set<string>()
  for (const file of readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })) {
    if (!/\.test(-d)?\.ts$/.test(file) || file.includes('node_modules')) continue
    const text = readFileSync(`${root}test/${file}`, 'utf8')
    for (const [, title = ''] of text.matchAll(/['"`](R-\d+(?:, R-\d+)*): /g)) {
      for (const number of title.split(', ')) numbers.add(number)
    }
  }
  return numbers
}

const requirements = readRequirements()
const titles = readTitles()
const missing = [...requirements.keys()].filter((number) => !titles.has(number))
const unknown = [...titles].filter((number) => !requirements.has(number))

for (const number of missing) console.log(`${number}: ${requirements.get(number)}`)
for (const number of unknown)
  console.error(`${number} is in a test title but not in docs/project/requirements.md`)
console.log(
  `${requirements.size - missing.length} of ${requirements.size} requirements have a test`,
)
if (process.argv.includes('--strict') && missing.length + unknown.length > 0) process.exitCode = 1
