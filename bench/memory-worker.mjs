/** One case of memory.mjs: samples the heap after collections while the case runs. */
import { connect, DynamicEntity } from 'rowkey'
import { ACCOUNT, KEY } from './fixture.mjs'
import { startChild } from './processes.mjs'

const [name, count] = [process.argv[2], Number(process.argv[3])]
const PARTITIONS = 50
const service = await startChild('memory-service.mjs', [String(name === 'kept' ? 50_000 : count)])
const endpoint = `http://127.0.0.1:${service.greeting.port}/${ACCOUNT}`
const account = connect(
  `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${KEY};TableEndpoint=${endpoint}`,
)
const table = account.table('rows')
const partitions = Array.from({ length: PARTITIONS }, (_, n) => `p${String(n).padStart(3, '0')}`)

let most = 0
let seen = 0
/** Samples the heap at a hundred places of the run. */
function sample() {
  if (seen++ % Math.max(1, Math.floor(count / 100)) !== 0) return
  globalThis.gc()
  most = Math.max(most, process.memoryUsage().heapUsed / 1e6)
}
function* made() {
  for (let n = 0; n < count; n++) {
    sample()
    yield new DynamicEntity(partitions[n % PARTITIONS], `row-${n}`, { text: 'x'.repeat(200), n })
  }
}

const cases = {
  async loop() {
    for await (const _ of table.query().allowTableScan()) sample()
  },
  async forEach() {
    await table
      .query()
      .allowTableScan()
      .forEach(async () => {
        sample()
        if (seen % 100 === 0) await new Promise(setImmediate)
      })
  },
  async inPartitions() {
    for await (const _ of table.query().inPartitions(partitions)) sample()
  },
  async inPartitions8() {
    for await (const _ of table.query().inPartitions(partitions, { concurrency: 8 })) sample()
  },
  bulk: () => table.bulk().insertOrReplace(made()),
  bulk8: () => table.bulk({ concurrency: 8, buffer: 2_000 }).insertOrReplace(made()),
  copy: () => table.copyTo(account.table('copies'), { onProgress: sampleOften }),
  /** Keeps the first row of each page, and beforehand nothing of as many pages. */
  async kept() {
    const page = () => table.query().inPartitions([partitions[0]]).toArray()
    const grown = async (keep) => {
      const kept = []
      const before = await settledHeap()
      for (let n = 0; n < count; n++) kept.push(keep(await page()))
      return ((await settledHeap()) - before) / kept.length
    }
    const nothing = () => undefined
    await grown(nothing) // compiles the code
    const own = await grown(nothing)
    return { bytes: Math.max(0, (await grown((rows) => rows[0])) - own) }
  },
}

/** Cancelled signals are released by the event loop, some turns after a collection. */
async function settledHeap() {
  for (let turn = 0; turn < 6; turn++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return process.memoryUsage().heapUsed
}

let samples = 0
function sampleOften() {
  if (samples++ % 20 !== 0) return
  globalThis.gc()
  most = Math.max(most, process.memoryUsage().heapUsed / 1e6)
}

let result
try {
  const extra = await cases[name]()
  result = { most, bytes: extra?.bytes }
} catch (error) {
  result = { failure: error instanceof Error ? error.stack : String(error) }
}
process.send(result)
