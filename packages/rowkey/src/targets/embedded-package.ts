/** What `connect` needs of `@rowkey/local`. */
export type EmbeddedPackage = Pick<typeof import('@rowkey/local'), 'localTableService'>

/** One place for all builds of this package: a bundle may contain two of them. */
const PLACE = Symbol.for('rowkey.embedded')

const places: typeof globalThis & { [PLACE]?: EmbeddedPackage } = globalThis

/**
 * Provides the embedded service to every `connect` of this program.
 *
 * @param embedded - the package, or what `connect` needs of it
 */
export function provideEmbedded(embedded: EmbeddedPackage): void {
  places[PLACE] = embedded
}

/** Returns the embedded service that the program imported; `undefined` without `rowkey/embedded`. */
export function providedEmbedded(): EmbeddedPackage | undefined {
  return places[PLACE]
}
