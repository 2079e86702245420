/** Where an entity lives in its table: PartitionKey and RowKey together name exactly one entity. */
export interface EntityKey {
  /** PartitionKey: up to 512 UTF-16 units, may be empty; no `/ \ # ?` and no control characters. */
  readonly partitionKey: string
  /** RowKey: the same rules. */
  readonly rowKey: string
}
