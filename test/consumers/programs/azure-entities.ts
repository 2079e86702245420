import Entity from '@rowkey/azure-entities'

const KeyValue = Entity.configure({
  version: 1,
  partitionKey: Entity.keys.StringKey('key'),
  rowKey: Entity.keys.ConstantKey('kv-pair'),
  properties: { key: Entity.types.String, value: Entity.types.JSON },
})
const KeyValues = KeyValue.setup({ tableName: 'values', credentials: 'inMemory' })

async function main(): Promise<void> {
  await KeyValues.ensureTable()
  const entity = await KeyValues.create({ key: 'colour', value: { red: 1 } })
  await entity.modify((draft) => {
    draft.value = { red: 2 }
  })
  const { value } = await KeyValues.load({ key: 'colour' })
  if (JSON.stringify(value) !== '{"red":2}') throw new Error(JSON.stringify(value))
  console.log('the program of the package runs')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
