/**
 * One client in its own process, which the parent asks for whole jobs: a bulk write, a query of many partitions, many reads by key.
 * It sends back how long each took, and the CPU of it.
 */
import { ACCOUNT, entities, KEY } from './fixture.mjs'
import { PARTITIONS, partitionOf, ROWS_PER_PARTITION } from './latency-answers.mjs'

const [client, endpoint] = process.argv.slice(2)
const ROWS = PARTITIONS * ROWS_PER_PARTITION
const READS = 1_000

const keyOf = (index) => ({
  partitionKey: partitionOf(index),
  rowKey: `employee-${String(index).padStart(8, '0')}`,
})
const rowOf = (index) => ({ ...entities[index % entities.length], ...keyOf(index) })

/** Runs tasks in so many lanes: what a careful user writes by hand. */
async function inLanes(count, tasks) {
  const waiting = tasks.values()
  const lane = async () => {
    for (const task of waiting) await task()
  }
  await Promise.all(Array.from({ length: count }, lane))
}

async function rowkeyJobs(isFetch) {
  const { connect } = await import('rowkey')
  const { Point } = await import('./adapters/point.mjs')
  const rest = await import('@rowkey/rest')
  const transport = isFetch ? rest.fetchTransport() : rest.undiciTransport()
  const address = `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${KEY};TableEndpoint=${endpoint}`
  // A new account has learned nothing; the sockets are open.
  const table = () => connect({ connectionString: address, transport }).table(Point)
  return {
    async bulk(concurrency) {
      function* rows() {
        for (let index = 0; index < ROWS; index++) yield Object.assign(new Point(), rowOf(index))
      }
      const summary = await table()
        .bulk({ concurrency, total: ROWS })
        .insertOrReplace(rows())
        .summary()
      return summary.done
    },
    async inPartitions(concurrency) {
      const partitions = Array.from({ length: PARTITIONS }, (_, index) => partitionOf(index))
      const query = table().query().allowPartitionScan().inPartitions(partitions, { concurrency })
      return (await query.toArray()).length
    },
    async getMany(concurrency) {
      const keys = Array.from({ length: READS }, (_, index) => Object.values(keyOf(index)))
      return (await table().getMany(keys, { concurrency })).length
    },
  }
}

async function dataTablesJobs() {
  const { AzureNamedKeyCredential, TableClient } = await import('@azure/data-tables')
  const credential = new AzureNamedKeyCredential(ACCOUNT, KEY)
  const table = new TableClient(endpoint, 'points', credential, { allowInsecureConnection: true })
  const typed = (row) => ({
    ...row,
    Score: { type: 'Double', value: row.Score },
    Ref: { type: 'Guid', value: row.Ref },
  })
  return {
    async bulk(concurrency) {
      const groups = new Map()
      for (let index = 0; index < ROWS; index++) {
        const row = typed(rowOf(index))
        const group = groups.get(row.partitionKey) ?? []
        groups.set(row.partitionKey, group)
        group.push(['upsert', row, 'Replace'])
      }
      let done = 0
      // Transactions of one partition run one after another.
      await inLanes(
        concurrency,
        [...groups.values()].map((group) => async () => {
          for (let at = 0; at < group.length; at += 100) {
            const actions = group.slice(at, at + 100)
            const { status } = await table.submitTransaction(actions)
            if (status === 202) done += actions.length
          }
        }),
      )
      return done
    },
    async inPartitions(concurrency) {
      const found = Array.from({ length: PARTITIONS }, () => [])
      await inLanes(
        concurrency,
        found.map((rows, index) => async () => {
          const filter = `PartitionKey eq '${partitionOf(index)}'`
          for await (const row of table.listEntities({ queryOptions: { filter } })) rows.push(row)
        }),
      )
      return found.flat().length
    },
    async getMany(concurrency) {
      const found = []
      await inLanes(
        concurrency,
        Array.from({ length: READS }, (_, index) => async () => {
          const { partitionKey, rowKey } = keyOf(index)
          found[index] = await table.getEntity(partitionKey, rowKey)
        }),
      )
      return found.length
    },
  }
}

const jobs =
  client === 'data-tables' ? await dataTablesJobs() : await rowkeyJobs(client === 'fetch')

process.on('message', async ({ job, concurrency }) => {
  const cpu = process.cpuUsage()
  const start = performance.now()
  let done
  let failure
  try {
    done = await jobs[job](concurrency)
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
  }
  const time = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  process.send({ time, cpu: (user + system) / 1000, done, failure })
})
process.on('disconnect', () => process.exit())
process.send({ name: client })
