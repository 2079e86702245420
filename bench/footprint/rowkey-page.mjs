import {
  connect,
  decorate,
  Entity,
  EntityNotFoundError,
  PartitionKey,
  RowKey,
  SasCredential,
} from 'rowkey'

class Point {
  partitionKey = ''
  rowKey = ''
}
decorate(Point, Entity('points'), { partitionKey: PartitionKey(), rowKey: RowKey() })

export const run = async (endpoint, token) => {
  const account = connect({ endpoint, credential: new SasCredential(token) })
  const points = account.table(Point)
  await points.insert({ partitionKey: 'p', rowKey: 'r' })
  await points.get(['p', 'r'])
  const found = await points.query().where({ partitionKey: 'p' }).toArray()
  try {
    await points.get(['p', 'missing'])
  } catch (error) {
    return error instanceof EntityNotFoundError && found.length
  }
}
