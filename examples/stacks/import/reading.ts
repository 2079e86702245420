import { Entity, key, Property } from 'rowkey'

/** A value of a sensor at a second of the day. */
@Entity({ name: 'readings', partitionKey: key`${'sensor'}`, rowKey: key`${'second:5'}` })
export class Reading {
  sensor = ''
  second = 0
  @Property('Double') celsius?: number
}
