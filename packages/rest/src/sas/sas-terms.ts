import type { SharedKeyCredential } from '../sign/shared-key-credential.ts'

/** What every shared access signature says, whichever its kind. */
export interface SasTerms {
  /** Whose key signs. Only the key can: a SAS cannot be made from a SAS or a token. */
  readonly credential: SharedKeyCredential
  /**
   * When it begins to work, UTC; seconds count. Leave it out to begin at once: clocks differ, and a
   * start that lies 5 minutes back is the least that is safe.
   *
   * @defaultValue at once
   */
  readonly start?: Date | undefined
  /** When it ends, UTC; seconds count. There is no upper bound. */
  readonly expiry?: Date | undefined
  /**
   * From where it may be used: an IPv4 address, or two with a dash between.
   *
   * @defaultValue from anywhere
   */
  readonly ips?: string | undefined
  /**
   * Over what it may be used.
   *
   * @defaultValue `'https'`, where the version can say so
   */
  readonly protocol?: SasProtocol | undefined
  /**
   * The version of the service that reads the token (`sv`). It decides what is signed, and, for
   * clients that name no version, how the service answers.
   *
   * @defaultValue `'2019-02-02'`
   */
  readonly version?: string | undefined
  /**
   * The clock: milliseconds since 1970, UTC. It decides what has expired and what to warn of.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: (() => number) | undefined
}

/** Over what a shared access signature may be used. */
export type SasProtocol = 'https' | 'https,http'

/** The names of {@link SasTerms}, for {@link checkOptions}. */
export const SAS_TERM_NAMES: readonly string[] = [
  'credential',
  'expiry',
  'ips',
  'now',
  'protocol',
  'start',
  'version',
]
