/**
 * Marks the objects of a class, and makes `instanceof` recognize those of every copy of the package: an ESM and a
 * CommonJS copy may be loaded together. Subclasses keep the usual `instanceof`, unless they have a mark of their own.
 *
 * @param type - the class
 * @param name - the name of the mark, the same in every copy and version
 */
export function brand(type: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(name)
  Object.defineProperty(type.prototype, mark, { value: true })
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value)
      return typeof value === 'object' && value !== null && mark in value
    },
  })
}
