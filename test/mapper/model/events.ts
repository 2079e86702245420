import { Entity, PartitionKey, Property, RowKey } from '@rowkey/mapper'

/** Two types whose keys are alike; a stored property tells them. */
@Entity({ name: 'events', discriminator: { EntityType: 'Login' } })
export class Login {
  @PartitionKey() user = ''
  @RowKey() at = ''
  @Property() device?: string
}

@Entity({ name: 'events', discriminator: { EntityType: 'Purchase' } })
export class Purchase {
  @PartitionKey() user = ''
  @RowKey() at = ''
  @Property('Double') amount?: number
}
