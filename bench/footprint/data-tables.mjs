import { TableClient } from '@azure/data-tables'

export const first = async (connectionString) => {
  const options = { allowInsecureConnection: true }
  const client = TableClient.fromConnectionString(connectionString, 'points', options)
  const point = await client.getEntity('p', 'r')
  return point.value
}
