import { Entity, ETag, Ignore, PartitionKey, Property, RowKey, StoreAs, Timestamp } from 'rowkey'

/** An employee, in the partition of the department. Has one property of every Edm type. */
@Entity('employees')
export class Employee {
  @PartitionKey() department!: string
  @RowKey() employeeId!: string
  @StoreAs('FirstName') firstName!: string
  @StoreAs('LastName') lastName!: string
  @StoreAs('Email') email!: string
  @Property('Int32') age!: number
  @Property('Int64') badge!: bigint
  @Property('Double') rating!: number
  @Property('Boolean') manager!: boolean
  @Property('DateTime') hired!: Date
  @Property('Guid') accessCard!: string
  @Property('Binary') fingerprint!: Uint8Array
  @Ignore() selected = false
  @ETag() etag?: string
  @Timestamp() modified?: Date
}
