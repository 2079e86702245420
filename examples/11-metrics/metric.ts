import { Entity, Int32, PartitionKey, RowKey } from 'rowkey'

/** One value of one kind of metric. */
@Entity('metrics')
export class Metric {
  @PartitionKey() name!: string
  @RowKey() kind!: string
  @Int32() value!: number
}
