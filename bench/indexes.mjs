/**
 * What does a query by an index cost, compared with the scan that it replaces? The rows are in one partition of the embedded
 * service. Each query finds 1, 10 or 100 rows.
 *
 *     npm --prefix bench run indexes                        # 10,000, 100,000 and 1,000,000 rows
 *     npm --prefix bench run indexes -- --sizes 10000 --record
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { declareIndexes } from '@rowkey/patterns'
import { connect, defineEntity, key } from 'rowkey'
import { z } from 'zod'
import { machine, median } from './report.mjs'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '7' },
    record: { type: 'boolean', default: false },
  },
})
/** How many rows each query finds. */
const MATCHES = [1, 10, 100]
const PAGE = new URL('../docs/patterns/indexes.md', import.meta.url)

const define = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:8'}`,
    schema: z.object({ department: z.string(), id: z.int(), team: z.string(), note: z.string() }),
  })

const Indexed = define()
const indexes = declareIndexes(Indexed, { team: { rowKey: key`team_${'team'}_${'id:8'}` } })
const Plain = define()

/** The first 111 rows are in teams of 1, 10 and 100; the others are in teams of 1,000. */
function* staff(count) {
  for (let id = 0; id < count; id++) {
    const place = (id * 7919) % count // spread over the partition
    const team =
      place === 0 ? 'of1' : place < 11 ? 'of10' : place < 111 ? 'of100' : `t${place >> 10}`
    yield { department: 'Sales', id, team, note: 'x'.repeat(100) }
  }
}

async function measure(size) {
  const account = connect('memory:')
  await account.table(Indexed).create()
  await indexes.on(account).build()
  await account.table(Indexed).bulk({ concurrency: 2 }).insert(staff(size))
  const samples = []
  for (const matches of MATCHES) {
    const where = { department: 'Sales', team: `of${matches}` }
    const byIndex = account.table(Indexed).query().where(where)
    const byScan = account.table(Plain).query().where(where)
    samples.push({
      matches,
      index: await time(byIndex, matches),
      scan: await time(byScan, matches),
    })
  }
  await account.close()
  return { size, samples }
}

/** The median time of one query in milliseconds. */
async function time(query, matches) {
  const times = []
  for (let round = 0; round < Number(options.rounds); round++) {
    const start = performance.now()
    const found = await query.toArray()
    times.push(performance.now() - start)
    if (found.length !== matches)
      throw new Error(`found ${found.length} rows in place of ${matches}`)
  }
  return median(times)
}

function tableOf(results) {
  const head = `| rows | ${MATCHES.map((each) => `finds ${each}`).join(' | ')} |`
  const lines = results.map(({ size, samples }) => {
    const ratios = samples.map(({ index, scan }) => `${(scan / index).toFixed(1)} ×`)
    return `| ${size.toLocaleString('en')} | ${ratios.join(' | ')} |`
  })
  return [machine(), '', head, '| --: | --: | --: | --: |', ...lines].join('\n')
}

const results = []
for (const size of options.sizes.split(',').map(Number)) {
  const result = await measure(size)
  console.error(JSON.stringify(result))
  results.push(result)
}
const table = tableOf(results)
console.log(table)
if (options.record) {
  const begin = '<!-- the table: npm --prefix bench run indexes -- --record -->'
  const end = '<!-- end of the table -->'
  const text = readFileSync(PAGE, 'utf8')
  const [before, rest] = text.split(begin)
  writeFileSync(PAGE, `${before}${begin}\n${table}\n${end}${rest.split(end)[1]}`)
}
