/**
 * What does one operation cost over `fetch`? A page of a real browser, and a worker thread of Node, beside @azure/data-tables.
 *
 *   npm run build && npm ci --prefix test/browsers
 *   npm --prefix bench run fetch           # prints the table
 *   npm --prefix bench run record:fetch    # and puts it into the README
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { tsImport } from 'tsx/esm/api'
import { startService } from './processes.mjs'
import { machine, median, recordTable, row, titleOf } from './report.mjs'

const { values: options } = parseArgs({
  options: {
    slices: { type: 'string', default: '9' },
    milliseconds: { type: 'string', default: '250' },
    record: { type: 'boolean', default: false },
  },
})
const microseconds = Number(options.milliseconds) * 1000

const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url))
const ADAPTERS = ['rowkey', 'data-tables']
/** The canned service checks no signature. */
const TOKEN =
  'sv=2019-02-02&ss=t&srt=sco&sp=rwdlau&se=2036-01-01T00%3A00%3A00Z&spr=https,http&sig=AAAA'

const CELLS = [
  ...['get', 'insert', 'upsertMerge', 'delete'].map((operation) => ({
    operation,
    concurrency: 16,
  })),
  { operation: 'batch100', concurrency: 4 },
  { operation: 'queryPage1000', concurrency: 4 },
  { operation: 'queryAll10k', concurrency: 1 },
]

/** A client in a page. Its cost is the CPU of the page's process: script, decoding of responses, garbage collection. */
async function pageClient(browser, endpoint, adapter) {
  const { outputFiles } = await build({
    entryPoints: [pathOf('fetch-page.mjs')],
    alias: { adapter: pathOf(`adapters/${adapter}.mjs`) },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    logLevel: 'error',
    tsconfigRaw: '{}', // the built packages, not the sources that tsconfig.json names
  })
  const page = await (await browser.newContext()).newPage()
  const { origin } = new URL(endpoint)
  const script = outputFiles[0].text
  await page.route(`${origin}/page`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bench</title>' }),
  )
  await page.goto(`${origin}/page`)
  // Interception would cost more than the requests that are measured.
  await page.unrouteAll()
  await page.addScriptTag({ content: script, type: 'module' })
  await page.evaluate((token) => globalThis.begin(token), TOKEN)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const processTime = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ProcessTime').value * 1e6
  }
  return {
    adapter,
    async run(cell, count) {
      const start = await processTime()
      await page.evaluate(([cell, count]) => globalThis.run(cell, count), [cell, count])
      return ((await processTime()) - start) / count
    },
    close: () => page.close(),
  }
}

/**
 * A client in a worker thread of Node; Rowkey connects by an entry, `rowkey` or `rowkey/fetch`. Its cost is the CPU of this process,
 * which only waits meanwhile.
 */
async function threadClient(endpoint, adapter, entry) {
  const workerData = { adapter: pathOf(`adapters/${adapter}.mjs`), endpoint, token: TOKEN, entry }
  const thread = new Worker(pathOf('fetch-thread.mjs'), { workerData })
  await once(thread, 'message')
  return {
    adapter,
    async run(cell, count) {
      thread.postMessage({ cell, count })
      const [{ cost, failure }] = await once(thread, 'message')
      if (failure !== undefined) throw new Error(`${adapter}: ${failure}`)
      return cost
    },
    close: () => thread.terminate(),
  }
}

/** Measures clients in turn, and returns the median ratio of the first to the second, and the cost of the first. */
async function compared(clients, cell) {
  const counts = new Map()
  for (const client of clients) {
    // Compiles the code, and finds how many operations make a slice.
    let cost = await client.run(cell, cell.concurrency * 2)
    for (let round = 0; round < 3; round++) {
      cost = await client.run(cell, Math.max(cell.concurrency, Math.ceil(microseconds / cost)))
    }
    counts.set(client, Math.max(cell.concurrency, Math.ceil(microseconds / cost)))
  }
  const slices = []
  for (let slice = 0; slice < Number(options.slices); slice++) {
    const costs = {}
    for (let turn = 0; turn < clients.length; turn++) {
      const client = clients[(turn + slice) % clients.length]
      costs[client.adapter] = await client.run(cell, counts.get(client))
    }
    slices.push(costs)
  }
  return {
    ratio: median(slices.map((costs) => costs.rowkey / costs['data-tables'])),
    cost: median(slices.map((costs) => costs.rowkey)),
  }
}

async function line(place, clients) {
  const cells = []
  for (const cell of CELLS) {
    const { ratio, cost } = await compared(clients, cell)
    console.error(`${place}, ${titleOf(cell)}: ${ratio.toFixed(2)}, ${cost.toFixed(0)} µs`)
    cells.push(ratio.toFixed(2))
  }
  for (const client of clients) await client.close()
  return row([place, ...cells])
}

const service = await startService()
const { openBrowser } = await tsImport('../test/browsers/browser.ts', import.meta.url)
const browser = await openBrowser()
try {
  const lines = [row(['rowkey to @azure/data-tables', ...CELLS.map(titleOf)])]
  lines.push(row(['---', ...CELLS.map(() => '--:')]))
  const page = (adapter) => pageClient(browser, service.endpoint, adapter)
  const name = `a page, Chromium ${browser.version().split('.')[0]}`
  lines.push(await line(name, await Promise.all(ADAPTERS.map(page))))
  for (const entry of ['rowkey/fetch', 'rowkey']) {
    const thread = (adapter) => threadClient(service.endpoint, adapter, entry)
    const clients = await Promise.all(ADAPTERS.map(thread))
    lines.push(await line(`a worker thread of Node, \`${entry}\``, clients))
  }
  const table = `${machine()}, median of ${options.slices} slices\n\n${lines.join('\n')}`
  if (options.record) recordTable('record:fetch', table)
  console.log(table)
} finally {
  await browser.close()
  service.stop()
}
