import type { CallOptions } from './call-options.ts'

/** @deprecated The former names of `begin` of a service and `end` of a call. */
export interface FormerSeries {
  begin<Options extends CallOptions>(options: Options): Options
  end(options: CallOptions): void
  runSeries<Options extends CallOptions, Output>(
    options: Options,
    series: (options: Options) => Promise<Output>,
  ): Promise<Output>
}
