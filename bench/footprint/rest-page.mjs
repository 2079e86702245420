import {
  EntityNotFoundError,
  getEntity,
  insertEntity,
  perform,
  queryEntities,
  SasCredential,
  tableService,
} from '@rowkey/rest'

export const run = async (endpoint, token) => {
  const service = tableService({ endpoint, credential: new SasCredential(token) })
  const table = 'points'
  const key = { partitionKey: 'p', rowKey: 'r' }
  await perform(service, insertEntity, { table, key, body: '{"PartitionKey":"p","RowKey":"r"}' })
  await perform(service, getEntity, { table, key })
  const { entities } = await perform(service, queryEntities, {
    table,
    filter: "PartitionKey eq 'p'",
  })
  try {
    await perform(service, getEntity, { table, key: { ...key, rowKey: 'missing' } })
  } catch (error) {
    return error instanceof EntityNotFoundError && entities.length
  }
}
