import Entity from '@rowkey/azure-entities'

/** A key and any JSON. */
export const KeyValue1 = Entity.configure({
  version: 1,
  partitionKey: Entity.StringKey('key'),
  rowKey: Entity.ConstantKey('kv-pair'),
  properties: {
    key: Entity.types.String,
    value: Entity.types.JSON,
  },
})

/** The next version: a date in place of the JSON. Rows of version 1 are migrated when they are read. */
export const KeyValue2 = KeyValue1.configure({
  version: 2,
  partitionKey: Entity.StringKey('key'),
  rowKey: Entity.ConstantKey('kv-pair'),
  properties: {
    key: Entity.types.String,
    date: Entity.types.Date,
  },
  migrate: ({ key, value }) => ({
    key: String(key),
    date: new Date((value as { StringDate: string }).StringDate),
  }),
})
