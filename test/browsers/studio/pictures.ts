/** Takes the pictures of docs/studio.md and the README: `npm run tool pictures`. Build first. */
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { DynamicEntity } from 'rowkey'
import { openBrowser } from '../browser.ts'
import { runStudio } from './run-studio.ts'
import { sampleTables } from './sample-tables.ts'

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))

await using tables = await sampleTables()
await using studio = await runStudio(['--port', '0', '--write'], { ROWKEY_TARGET: tables.target })
const browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 1080, height: 580 } })
await page.goto(studio.url)
await page.getByRole('link', { name: 'people', exact: true }).waitFor()
const home = `${new URL(studio.url).origin}/devstoreaccount1`

for (const colorScheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme })
  await page.goto(`${home}/people?filter=PartitionKey+eq+'Smith'+and+RowKey+ge+'L'&size=20`)
  await page.getByRole('status').filter({ hasText: '20 rows' }).waitFor()
  await page.getByRole('link', { name: 'Lena-067' }).click()
  await page.getByText('ETag').waitFor()
  await take(page, `studio-${colorScheme}`)
}
await page.emulateMedia({ colorScheme: 'light' })
await takeConflict(page)
await browser.close()

async function takeConflict(shown: Page): Promise<void> {
  await shown.getByRole('link', { name: 'people', exact: true }).click()
  await shown.goto(`${home}/people?partition=Smith&row=Lena-067`)
  await shown.getByRole('button', { name: 'Edit' }).click()
  await shown.getByLabel('Value of city').fill('Bergen')
  await shown.getByLabel('Value of age').fill('26')
  const theirs = new DynamicEntity('Smith', 'Lena-067', { city: 'Trondheim', active: true })
  await tables.account.table('people').merge(theirs, { etag: '*' })
  await shown.getByRole('button', { name: 'Save' }).click()
  await shown.getByText('The row has changed since you read it').waitFor()
  await take(shown, 'studio-conflict')
}

async function take(shown: Page, name: string): Promise<void> {
  // Nothing may move.
  await shown.evaluate(() => document.fonts.ready)
  await shown.screenshot({ path: `${folder}${name}.png`, animations: 'disabled' })
  console.log(`docs/pictures/${name}.png`)
}
