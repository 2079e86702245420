import type { Op } from '../conditions/op.ts'
import type { PropertyTypes, ValuesOf } from '../definition/configure-options.ts'
import type { Properties } from '../definition/definition.ts'

/** The properties that `create` needs, from the types of a class. */
export type PropertiesOf<Class> =
  Class extends HasProperties<infer Declared> ? ValuesOf<Declared> : Properties

/** A class with declared properties. */
export interface HasProperties<Declared extends PropertyTypes> {
  /** The types of the properties, as they were configured. */
  readonly __properties: Declared
}

/** The conditions of `scan` and `query`: values, which must be equal, or operators of `Entity.op`. */
export type ConditionsOf<Class> = {
  readonly [Name in keyof PropertiesOf<Class>]?:
    | PropertiesOf<Class>[Name]
    | Op<PropertiesOf<Class>[Name]>
}
