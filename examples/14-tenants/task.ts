import { Entity, key, Property } from 'rowkey'

/** The start of every key: no other tenant has it, because `;` cannot be in a tenant's name. */
export const ofTenant = key`${'tenant'};${'project'}`

/** A task of a tenant. The tenant comes first in PartitionKey, so one range of partitions has all its rows. */
@Entity({ name: 'tasks', partitionKey: ofTenant, rowKey: key`${'id:4'}` })
export class Task {
  tenant = ''
  project = ''
  id = 0
  @Property('String') title?: string
}
