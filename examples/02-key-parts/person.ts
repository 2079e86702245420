import { Entity, key, Property } from 'rowkey'

/** A person, filed under state and city, in the order of their badges. */
@Entity({ partitionKey: key`${'state'};${'city'}`, rowKey: key`${'badge:5'}` })
export class Person {
  state = ''
  city = ''
  badge = 0
  @Property() name!: string
}

/** A new person. */
export function person(state: string, city: string, badge: number, name: string): Person {
  return Object.assign(new Person(), { state, city, badge, name })
}
