import { Entity, PartitionKey, Property, RowKey } from 'rowkey'

/** An item in a shop. */
@Entity('items')
export class Item {
  @PartitionKey() shelf = ''
  @RowKey() id = ''
  @Property() name?: string
  @Property('Double') price?: number
  @Property('Int32') stock?: number
}

/** Makes an item. */
export function item(shelf: string, id: string, price: number, stock: number): Item {
  return Object.assign(new Item(), { shelf, id, name: `${shelf} ${id}`, price, stock })
}
