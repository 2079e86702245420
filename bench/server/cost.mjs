/** The cost of an operation in a service, in slices that the services take in turn. */
import { Driver } from './driver.mjs'
import { cpuOf } from './process-usage.mjs'
import {
  batches,
  createTable,
  deleteBatch,
  get,
  insert,
  insertBatch,
  page,
  upsert,
} from './requests.mjs'
import { startService } from './services.mjs'

/** Numbers that step through a range repeatedly, so that neighbours are not read together. */
const scattered = (count, range) => Array.from({ length: count }, (_, at) => (at * 7919) % range)

/** Rows inserted during a measurement have higher numbers than all others, and are deleted afterwards. */
const NEW_ROWS = 10_000_000

/** JavaScript engines compile code that runs often, and a service that stays up runs compiled code. */
const WARM_UPS = 12

/** The requests of one slice, how many are in flight at once, and the requests that undo them. */
export const operations = {
  get: { lanes: 8, requests: (rows) => scattered(1000, rows).map(get) },
  insert: {
    lanes: 8,
    requests: () => Array.from({ length: 1000 }, (_, at) => insert(NEW_ROWS + at)),
    undo: () => Array.from(batches(NEW_ROWS, 1000), deleteBatch),
  },
  upsertMerge: { lanes: 8, requests: (rows) => scattered(1000, rows).map(upsert) },
  page1000: { lanes: 1, requests: (rows) => scattered(30, rows).map(page) },
  batch100: {
    lanes: 1,
    requests: () => Array.from(batches(NEW_ROWS, 2000), insertBatch),
    undo: () => Array.from(batches(NEW_ROWS, 2000), deleteBatch),
  },
}

/** The same number of rows for every size, evenly spread over the whole table. */
const spread = (count, rows) =>
  Array.from({ length: count }, (_, at) => Math.floor((at * rows) / count))

/** Reads that are the same for a table of any size: the same number of rows, each read repeatedly. */
export const readsSpread = {
  get: { lanes: 8, requests: (rows) => spread(1000, rows).map(get) },
  page1000: {
    lanes: 1,
    requests: (rows) =>
      Array.from({ length: 10 }, () => spread(2, rows))
        .flat()
        .map(page),
  },
}

/**
 * Starts a service and fills its table.
 *
 * @param name - the name of the service
 * @param limit - milliseconds that filling may take
 * @returns `undefined` when filling took longer
 */
export async function startFilled(name, rows, limit) {
  const service = await startService(name)
  const driver = new Driver(service.origin)
  const end = performance.now() + limit
  const inTime = function* () {
    for (const first of batches(0, rows)) {
      if (performance.now() > end) return
      yield insertBatch(first)
    }
  }
  await driver.send([createTable()])
  await driver.send(inTime())
  const target = {
    ...service,
    rows,
    driver,
    async stop() {
      await driver.close()
      await service.stop()
    },
  }
  if (performance.now() <= end) return target
  await target.stop()
  return undefined
}

/** CPU of one operation in the service's process, in microseconds: the mean of a slice. */
async function costOf({ pid, driver, rows }, { lanes, requests, undo }) {
  const signed = requests(rows)
  const start = cpuOf(pid)
  await driver.send(signed, lanes)
  const cost = (cpuOf(pid) - start) / signed.length
  if (undo !== undefined) await driver.send(undo())
  return cost
}

/**
 * Measures one operation on all targets in turn, after some slices that only warm up. The order
 * rotates from slice to slice.
 *
 * @param operation - one of {@link operations}
 * @returns a list for each slice: the targets' costs, in the order of the targets
 */
export async function measure(targets, operation, slices) {
  const samples = []
  for (let slice = -WARM_UPS; slice < slices; slice++) {
    const costs = []
    for (let turn = 0; turn < targets.length; turn++) {
      const at = (turn + slice + WARM_UPS) % targets.length
      costs[at] = await costOf(targets[at], operation)
    }
    if (slice >= 0) samples.push(costs)
  }
  return samples
}
