// What an app can show or log while data is on its way.

export type MobileEvent =
  | { readonly type: 'queued'; readonly items: number; readonly pending: number }
  | {
      readonly type: 'uploaded';
      readonly uploadId: string;
      readonly accepted: number;
      readonly duplicates: number;
      readonly deleted: number;
      readonly rejected: number;
      /** Items still in the queue, this batch included until it is finished. */
      readonly pending: number;
    }
  /** The service rejected these items permanently. They are in `listParked()` and do not block others. */
  | { readonly type: 'parked'; readonly items: number; readonly error: string; readonly message: string }
  /** The oldest parked items were removed, because all of them together exceeded `maxParkedBytes`. */
  | { readonly type: 'dropped'; readonly items: number }
  /**
   * Deleted records that this installation may have sent so long ago that it no longer knows what they became. Delete the period
   * and send it again (docs/mobile.md).
   */
  | { readonly type: 'forgotten'; readonly ids: number }
  | { readonly type: 'waiting'; readonly reason: string; readonly delayMs: number }
  | { readonly type: 'stopped'; readonly reason: StopReason }
  | { readonly type: 'finished'; readonly pending: number };

/** Why a flush ended with data in the queue. Nothing is lost: the next flush continues. */
export type StopReason =
  /** Too many failures in a row, or `signal` was aborted. */
  | 'unreachable'
  | 'aborted'
  /** `getToken` returned null, or a token that the service no longer accepts. */
  | 'signed_out'
  /** The token belongs to another user than the stored data. Call `reset()` to discard the data, or sign the first user in again. */
  | 'other_user'
  /** The account was closed, the sandbox is off, or the user has too many installations. */
  | 'refused';
