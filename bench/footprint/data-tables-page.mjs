import { AzureSASCredential, TableClient } from '@azure/data-tables'

export const run = async (endpoint, token) => {
  const client = new TableClient(endpoint, 'points', new AzureSASCredential(token))
  await client.createEntity({ partitionKey: 'p', rowKey: 'r' })
  await client.getEntity('p', 'r')
  const found = []
  const queryOptions = { filter: "PartitionKey eq 'p'" }
  for await (const point of client.listEntities({ queryOptions })) found.push(point)
  try {
    await client.getEntity('p', 'missing')
  } catch (error) {
    return error.statusCode === 404 && found.length
  }
}
