import { decorate, Entity, PartitionKey, RowKey } from 'rowkey'
import { connect } from 'rowkey/fetch'

class Point {
  partitionKey = ''
  rowKey = ''
}
decorate(Point, Entity('points'), { partitionKey: PartitionKey(), rowKey: RowKey() })

export const first = async (connectionString) => {
  const account = connect(connectionString)
  const point = await account.table(Point).get(['p', 'r'])
  await account.close()
  return point.value
}
