/**
 * Does memory stay flat? Each case runs in a process of its own, over a service in another process. It prints the highest heap
 * after a collection, in MB, beside that of a tenth of the rows: a flat case has nearly the same. See README.md.
 *
 *     npm --prefix bench run memory                    # a million rows
 *     npm --prefix bench run memory -- --rows 100000   # a quick look
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine, recordTable, row } from './report.mjs'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    record: { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)

const CASES = {
  'for await over a query': 'loop',
  'a slow `forEach`': 'forEach',
  '`inPartitions` of 50': 'inPartitions',
  'the same with `concurrency: 8`': 'inPartitions8',
  'a bulk write': 'bulk',
  'the same with `concurrency: 8`, `buffer: 2000`': 'bulk8',
  '`copyTo`': 'copy',
}

async function measured(name, count) {
  const child = fork(
    fileURLToPath(new URL('memory-worker.mjs', import.meta.url)),
    [name, String(count)],
    {
      execArgv: ['--expose-gc', '--max-old-space-size=6000'],
    },
  )
  const [result] = await once(child, 'message')
  child.kill()
  if (result.failure !== undefined) throw new Error(`${name}: ${result.failure}`)
  return result
}

const lines = [
  row([
    '',
    `${(rows / 10).toLocaleString('en')} rows: MB of heap`,
    `${rows.toLocaleString('en')} rows: MB of heap`,
    'ratio',
  ]),
  row(['---', '--:', '--:', '--:']),
]
const waiting = Object.entries(CASES).entries()
/** Memory does not depend on other processes, so two cases run at once. */
async function lane() {
  for (const [index, [title, name]] of waiting) {
    const [small, large] = [await measured(name, rows / 10), await measured(name, rows)]
    const ratio = (large.most / small.most).toFixed(2)
    lines[2 + index] = row([title, small.most.toFixed(0), large.most.toFixed(0), ratio])
    console.error(`${title}: ${small.most.toFixed(1)} → ${large.most.toFixed(1)} MB (${ratio})`)
  }
}
await Promise.all([lane(), lane()])
const { bytes } = await measured('kept', 300)
lines.push(
  '',
  `One entity that is kept of each of 300 pages of 1,000 keeps ${(bytes / 1000).toFixed(1)} kB of heap; a page has 560 kB of text.`,
)
const table = `${machine()}\n\n${lines.join('\n')}`
if (options.record) recordTable('record:memory', table)
console.log(table)
