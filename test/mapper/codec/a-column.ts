import { modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import type { EdmType } from '@rowkey/odata'
import { type ColumnCodec, columnCodec } from '../../../packages/mapper/src/codec/column-codec.ts'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}

/** The column `Person.member`, stored as `m`. */
export function aColumn(type?: EdmType): ColumnCodec {
  return columnCodec(modelOf(Person), { property: 'member', name: 'm', type })
}
