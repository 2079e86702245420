/**
 * Opens a table of a million rows in the studio, and prints how long its first page took: `npm run tool large-table -- [target] [rows]`.
 * Without a target it starts an embedded service. The table `large` is filled unless it exists. Build first.
 */
import { startLocalService } from '@rowkey/local'
import { connect, DynamicEntity, EntityProperty } from 'rowkey'
import { openBrowser } from '../browser.ts'
import { runStudio } from './run-studio.ts'

const [given, size = '1000000'] = process.argv.slice(2)
const rows = Number(size)
const service = given === undefined ? await startLocalService({ port: 0 }) : undefined
const target = service?.connectionString ?? given ?? ''
const account = connect(target)
const table = account.table('large')
if (!(await table.exists())) {
  await table.create()
  await table.bulk({ concurrency: 8 }).insert(largeTable(rows))
  console.log(`filled large with ${rows.toLocaleString('en')} rows`)
}

{
  await using studio = await runStudio(['--port', '0'], { ROWKEY_TARGET: target })
  const browser = await openBrowser()
  const page = await browser.newPage()
  await page.goto(studio.url)
  const link = page.getByRole('link', { name: 'large', exact: true })
  await link.waitFor()
  for (const view of ['first page', 'second page', 'last partition']) {
    await page.evaluate(() => performance.clearResourceTimings())
    const clicked = await page.evaluate(() => performance.now())
    if (view === 'first page') await link.click()
    else if (view === 'second page') await page.getByRole('link', { name: 'Next page' }).click()
    else {
      await page.getByLabel('Filter').fill("PartitionKey eq 'p999'")
      await page.getByRole('button', { name: 'Apply' }).click()
    }
    await page
      .getByRole('status')
      .filter({ hasText: /^50 rows/ })
      .waitFor()
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/rows')),
    )
    const { sent, answered, shown } = await page.evaluate(async () => {
      const [request] = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/api/rows')) as PerformanceResourceTiming[]
      await new Promise(requestAnimationFrame)
      const times = { sent: request?.startTime ?? 0, answered: request?.responseEnd ?? 0 }
      return { ...times, shown: performance.now() }
    })
    const ms = (from: number, to: number) => `${Math.round(to - from)} ms`
    console.log(
      `${view}: asked after ${ms(clicked, sent)}, answered in ${ms(sent, answered)}, shown ${ms(answered, shown)} later`,
    )
  }
  await browser.close()
}
await account.close()
await service?.close()

/** Rows of 1,000 partitions. */
function* largeTable(count: number): Generator<DynamicEntity> {
  for (let n = 0; n < count; n++) {
    const partition = `p${String(Math.floor((n * 1_000) / count)).padStart(3, '0')}`
    yield new DynamicEntity(partition, String(n).padStart(9, '0'), {
      n: EntityProperty.int32(n),
      city: `city ${n % 100}`,
      points: EntityProperty.int64(BigInt(n)),
    })
  }
}
