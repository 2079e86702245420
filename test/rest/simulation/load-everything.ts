import { localTableService } from '@rowkey/local'
import { createTable, insertEntity, perform, sweepMarkers, tableService } from '@rowkey/rest'

await loadEverything()

/** Uses what is loaded when it is first used: later it would arrive at a moment that no seed decides. */
async function loadEverything(): Promise<void> {
  const local = localTableService()
  const connectionString = local.connectionString()
  const { transport } = local
  const service = tableService({ connectionString, transport, exactWrites: true })
  const key = { partitionKey: 'p', rowKey: 'r' }
  const write = { table: 'people', key, body: '{"PartitionKey":"p","RowKey":"r"}' }
  await perform(service, createTable, { table: 'people' })
  await perform(service, insertEntity, write)
  await sweepMarkers((...call) => perform(service, ...call), 'people')
  const page = async () => ({ status: 404, headers: {}, body: '<html>' })
  const faulty = tableService({ connectionString, transport: page })
  await perform(faulty, insertEntity, write).catch(() => {})
}
