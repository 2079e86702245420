import { InputError } from '@rowkey/odata'

/** Thrown when `connect` is given something that is no kind of target. Nothing was opened. */
export class TargetError extends InputError {
  /** `TargetError`. */
  override readonly name = 'TargetError'
  /** `InvalidTarget`: what programs branch on. */
  override readonly code = 'InvalidTarget'

  /** @param options - `target`: the kind of thing that was given, never its whole text */
  constructor(options: { readonly target: string }) {
    super({
      message:
        `connect() cannot open ${options.target}. Give 'memory:' or 'file:./data' for an embedded ` +
        `service, a connection string such as 'UseDevelopmentStorage=true', a URL with a shared access ` +
        'signature, or { endpoint, credential }.',
    })
  }
}
