import { AzureNamedKeyCredential, odata, TableClient } from '@rowkey/data-tables'
import { localTableService } from '@rowkey/local'

const local = localTableService()
const people = TableClient.fromConnectionString(local.connectionString(), 'people', {
  transport: local.transport,
})

async function main(): Promise<void> {
  await people.createTable()
  await people.createEntity({ partitionKey: 'Smith', rowKey: 'Ann', age: 30 })
  const ann = await people.getEntity('Smith', 'Ann')
  await people.updateEntity({ partitionKey: 'Smith', rowKey: 'Ann', age: 31 }, 'Merge', {
    etag: ann.etag,
  })

  const filter = odata`PartitionKey eq ${'Smith'} and age gt ${30}`
  const names: unknown[] = []
  for await (const { rowKey, age } of people.listEntities({ queryOptions: { filter } }))
    names.push(rowKey, age)
  if (names.join() !== 'Ann,31') throw new Error(names.join())
  if (typeof AzureNamedKeyCredential !== 'function') throw new Error('the credential is missing')
  console.log('the program of the package runs')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
