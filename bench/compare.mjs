/**
 * Compares what Rowkey's operations cost now with the table that README.md has, and names those that became more than 10 % slower, with
 * the commits in between. It measures a suspect twice, so that a busy machine accuses none.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median, titleOf } from './report.mjs'

const SLOWER = 1.1
const README = fileURLToPath(new URL('README.md', import.meta.url))
const HERE = fileURLToPath(new URL('.', import.meta.url))
const MARK = '<!-- the table: npm --prefix bench run record -->'

const cellsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The recorded ratios of Rowkey to the floor, by operation, and the line of the README that has them. */
function recorded() {
  const lines = readFileSync(README, 'utf8').split('\n')
  const start = lines.indexOf(MARK)
  const head = lines.findIndex((line, at) => at > start && line.startsWith('| client |'))
  const own = lines.findIndex((line, at) => at > head && line.startsWith('| rowkey |'))
  if (start < 0 || head < 0 || own < 0) throw new Error('README.md has no table of costs.')
  const [, ...titles] = cellsOf(lines[head])
  const [, ...ratios] = cellsOf(lines[own])
  return { line: own + 1, ratios: new Map(titles.map((title, at) => [title, Number(ratios[at])])) }
}

/** Measures operations; all when none is named. */
function measure(operations) {
  const some = operations.length === 0 ? [] : ['--operations', operations.join(',')]
  const run = spawnSync(process.execPath, ['run.mjs', '--clients', 'floor,rowkey', ...some], {
    cwd: HERE,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (run.status !== 0) throw new Error(`The benchmark ended with ${run.status}.`)
  const { samples } = JSON.parse(
    readFileSync(new URL('results/latest.json', import.meta.url), 'utf8'),
  )
  const ratios = new Map()
  for (const title of new Set(samples.map(({ cell }) => titleOf(cell)))) {
    const costs = samples
      .filter(({ cell }) => titleOf(cell) === title)
      .map((sample) => sample.costs)
    ratios.set(title, median(costs.map(({ rowkey, floor }) => rowkey / floor)))
  }
  return ratios
}

const { line, ratios: before } = recorded()
const isSlower = (now) => (title) => now.get(title) > SLOWER * before.get(title)
const first = measure([])
let slower = [...before.keys()].filter(isSlower(first))
let now = first
if (slower.length > 0) {
  now = measure([...new Set(slower.map((title) => title.split('@')[0]))])
  slower = slower.filter(isSlower(now))
}
for (const [title, ratio] of before) {
  console.log(`${title}: ${ratio.toFixed(2)} recorded, ${first.get(title)?.toFixed(2) ?? '–'} now`)
}
if (slower.length > 0) {
  const git = (...args) => execFileSync('git', args, { cwd: HERE, encoding: 'utf8' }).trim()
  const [commit] = git('blame', '-l', '-s', '-L', `${line},${line}`, 'README.md').split(' ')
  const range = /^\^?0+$/.test(commit) ? 'HEAD~1..HEAD' : `${commit.replace('^', '')}..HEAD`
  for (const title of slower) {
    const [was, is] = [before.get(title), now.get(title)]
    const percent = Math.round((is / was - 1) * 100)
    console.log(
      `SLOWER: ${title} costs ${percent} % more: ${is.toFixed(2)} times the floor, ${was.toFixed(2)} recorded.`,
    )
  }
  const commits = git('log', '--oneline', '--no-decorate', range, '--', '../packages')
  console.log(`The commits since the table was recorded:\n${commits}`)
  process.exitCode = 1
}
