import type { CallOptions } from '../caller.ts';
import type { Form } from '../form.ts';
import { type ReadArguments, Resource } from './resource.ts';

/** Which metrics and providers there are. */
export class Catalog<F extends Form> extends Resource<F> {
  metrics(options?: CallOptions) {
    return this.act('listMetrics', [], options);
  }

  providers(options?: CallOptions) {
    return this.act('listProviders', [], options);
  }
}

export class Daily<F extends Form> extends Resource<F> {
  /** Values per metric and day. */
  get(userId: string, ...args: ReadArguments<F, 'readDaily'>) {
    return this.read('readDaily', [userId], args);
  }

  /** The device values behind one value. */
  explain(userId: string, ...args: ReadArguments<F, 'explainDaily'>) {
    return this.read('explainDaily', [userId], args);
  }
}

export class Sleep<F extends Form> extends Resource<F> {
  /** One page, newest first. */
  list(userId: string, ...args: ReadArguments<F, 'listSleep'>) {
    return this.read('listSleep', [userId], args);
  }

  iterate(userId: string, ...args: ReadArguments<F, 'listSleep'>) {
    return this.walk('listSleep', [userId], args);
  }
}

export class Workouts<F extends Form> extends Resource<F> {
  /** One page, newest first. */
  list(userId: string, ...args: ReadArguments<F, 'listWorkouts'>) {
    return this.read('listWorkouts', [userId], args);
  }

  iterate(userId: string, ...args: ReadArguments<F, 'listWorkouts'>) {
    return this.walk('listWorkouts', [userId], args);
  }

  get(userId: string, workoutId: string, ...args: ReadArguments<F, 'getWorkout'>) {
    return this.read('getWorkout', [userId, workoutId], args);
  }
}

export class Scores<F extends Form> extends Resource<F> {
  get(userId: string, ...args: ReadArguments<F, 'readScores'>) {
    return this.read('readScores', [userId], args);
  }

  history(userId: string, ...args: ReadArguments<F, 'readScoreHistory'>) {
    return this.read('readScoreHistory', [userId], args);
  }

  /** The inputs and weights behind one score. */
  explain(userId: string, ...args: ReadArguments<F, 'explainScore'>) {
    return this.read('explainScore', [userId], args);
  }
}

export class Timeseries<F extends Form> extends Resource<F> {
  /** Samples of at most 31 days. */
  get(userId: string, ...args: ReadArguments<F, 'readTimeseries'>) {
    return this.read('readTimeseries', [userId], args);
  }
}
