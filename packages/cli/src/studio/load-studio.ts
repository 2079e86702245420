import type { Account } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'

/** What the page says of an account. */
export interface AccountFacts {
  /** The name of the account, or the path of its folder. */
  readonly account: string
  /** Its address, without a credential. */
  readonly place: string
  /** The options of command lines that name the account; empty when the environment does. */
  readonly target: readonly string[]
  /** Whether rows may be changed. */
  readonly isWritable: boolean
}

/** A module with models, whose names the page shows. */
export interface StudioModels {
  /** Its exports: classes, models and unions; all others are ignored. */
  readonly exports: Readonly<Record<string, unknown>>
  /** Its path, for messages. */
  readonly path: string
}

/** What a studio shows, and how it is reached. */
export interface StudioSettings {
  /** The account; the studio does not close it. */
  readonly account: Account
  /** What the page says of the account. */
  readonly facts: AccountFacts
  /** A module with models, and its path for messages; absent without one. */
  readonly models?: StudioModels | undefined
  /** The port on 127.0.0.1; 0 selects a free one. */
  readonly port: number
  /** Where browsers reach the studio, when that is not its own address: through a tunnel or a proxy, also below a path. */
  readonly publicUrl?: URL | undefined
  /** Cancels the first request. */
  readonly signal: AbortSignal
}

/** A studio that runs. */
export interface Studio {
  /** Its address, with the token that works once. */
  readonly url: string
  /** The port that it listens on. */
  readonly port: number
  /** Cancels pending requests, and frees the port. */
  close(): Promise<void>
}

/** What the command uses of `@rowkey/studio`. */
interface StudioPackage {
  startStudio(settings: StudioSettings): Promise<Studio>
}

/** The package is the user's own: this one neither depends on it nor bundles it. */
const NAME = '@rowkey/studio'

/**
 * Loads `@rowkey/studio`.
 *
 * @param load - imports the package
 * @throws InputError with the code `MissingDependency` when it is not installed
 */
export async function loadStudio(
  load: (name: string) => Promise<StudioPackage> = (name) => import(name),
): Promise<StudioPackage> {
  try {
    return await load(NAME)
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw cliInputError(
      'MissingDependency',
      `The studio is in ${NAME}, which is not installed. Run: npm install ${NAME}`,
      cause,
    )
  }
}

/** Tells whether the package itself is missing, and not one that it imports. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${NAME}'`)
}
