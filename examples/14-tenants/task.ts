import { Entity, key, Property } from 'rowkey'

/** A task of a tenant. The tenant comes first in PartitionKey, so one range of partitions has all its rows. */
@Entity({ name: 'tasks', partitionKey: key`${'tenant'};${'project'}`, rowKey: key`${'id:4'}` })
export class Task {
  tenant = ''
  project = ''
  id = 0
  @Property('String') title?: string
}
