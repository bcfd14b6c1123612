"""The loop: passes of a step, the step itself, and what is measured, saved and reported of it."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import Any

import torch
from accelerate import Accelerator
from peft.helpers import disable_input_dtype_casting

from optimize_app.finetune.trainer.checkpoints import (
    Progress,
    checkpoint_of,
    collect,
    find_checkpoint,
    load_optimizers,
    load_weights,
    read_progress,
    save_checkpoint,
    trained_weights,
)
from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.divergence import DivergenceWatch
from optimize_app.finetune.trainer.errors import TrainingFailedError
from optimize_app.finetune.trainer.held_out import (
    Generation,
    HeldOut,
    answer_prompts,
    measure_held_out,
)
from optimize_app.finetune.trainer.models import base_of_adapter, freeze_copy, load_model
from optimize_app.finetune.trainer.objectives import Imitation, Objective, Preference
from optimize_app.finetune.trainer.optimizers import make_optimizers, set_rate
from optimize_app.finetune.trainer.prepared_run import PreparedRun
from optimize_app.finetune.trainer.presets import rate_at
from optimize_app.finetune.trainer.reporting import StepReporter, StepResult
from optimize_app.finetune.trainer.run_folder import MetricsLog, atomic_folder, write_json
from optimize_app.finetune.trainer.sharding import full_weights, shard, whole
from optimize_app.finetune.trainer.trackers import begin_tracking, place_of


@dataclass(frozen=True)
class Outcome:
    """How a run ended: `succeeded`, `stopped_early` or `cancelled`, and at which step."""

    state: str
    step: int
    message: str


class Trainer:
    """One run from its last checkpoint to its end."""

    def __init__(self, run: PreparedRun, *, is_cancelled: Callable[[], bool]) -> None:
        self._run = run
        self._config: FinetuneConfig = run.config
        self._is_cancelled = is_cancelled
        self._log = MetricsLog(run.folder.metrics_file)
        self._accelerator = Accelerator(
            cpu=run.device.type == "cpu",
            mixed_precision="bf16" if run.precision == "bf16" else "no",
            log_with=list(run.config.trackers or ()) or None,
            project_config=place_of(run.folder),
        )
        model = load_model(run.config, self._accelerator.device, run.precision)
        processes = self._accelerator.num_processes
        self._is_sharded = run.config.sharded and processes > 1
        if self._is_sharded:
            shard(model, device=self._accelerator.device, processes=processes)
        self._objective = self._make_objective(model)
        self._optimizers = make_optimizers(model, run.config)
        self._progress = self._resume(model)
        # The model first, as moments go where its weights are.
        self._model = model if self._is_sharded else self._accelerator.prepare(model)
        self._prepared = [self._accelerator.prepare(part) for part in self._optimizers]
        self._reporter = StepReporter(run, self._accelerator, self._log)
        self._watch = DivergenceWatch(run)

    @property
    def _inner(self) -> Any:
        return self._accelerator.unwrap_model(self._model)

    def run(self) -> Outcome:
        """Train to the end, to an early stop, or until somebody asks to stop.

        Raises:
            TrainingFailedError: the loss diverges, or the memory is not enough.
        """
        self._begin()
        self._model.train()
        for step in range(self._progress.step, self._run.plan.steps):
            if self._must_stop():
                self._save()
                return Outcome("cancelled", step, f"Stopped after step {step}; it can be resumed.")
            self._step(step)
            done = step + 1
            is_last = done == self._run.plan.steps
            if self._run.held_out and (is_last or done % self._config.evaluate_every == 0):
                self._evaluate()
            if is_last or done % self._config.checkpoint_every == 0:
                self._save()
            if self._is_worse_for_long():
                self._save()
                return self._end_with_best()
        self._watch.check_end(self._progress.step)
        self._write_result(self._inner)
        return self._succeed("succeeded", "Trained to the last step.")

    def end(self, outcome: Outcome) -> None:
        """Write in the folder how the run ended, and release the model and the processes."""
        if self._accelerator.is_main_process:
            self._log.append("end", outcome.step, state=outcome.state, message=outcome.message)
            hashes = {"config_hash": self._run.config_hash, "data_hash": self._run.data_hash}
            write_json(self._run.folder.result_file, {**asdict(outcome), **hashes})
        # The model goes first. If it were the last to hold the process group, it would wait,
        # holding Python's lock, for a thread of the group that may wait for the same lock.
        del self._model
        self._accelerator.free_memory()
        self._accelerator.end_training()

    def _begin(self) -> None:
        if self._config.trackers:
            begin_tracking(self._accelerator, self._run.folder, self._config)
        if not self._accelerator.is_main_process:
            return
        write_json(self._run.folder.path / "resolved.json", self._run.resolved())
        if self._log.mend():
            self._log.append("resumed", self._progress.step)
        else:
            self._log.append("plan", 0, **self._run.plan.to_json())

    def _step(self, step: int) -> None:
        started = time.perf_counter()
        config = self._config
        rate = rate_at(config, self._run.plan.learning_rate, step, self._run.plan.steps)
        set_rate(self._prepared, rate)
        result = self._train_or_split(step)
        seconds = time.perf_counter() - started
        self._progress = self._progress.model_copy(
            update={
                "step": step + 1,
                "seconds": self._progress.seconds + seconds,
                "tokens": self._progress.tokens + result.tokens,
            }
        )
        self._reporter.report(self._progress, result, rate=rate, seconds=seconds)

    def _train_or_split(self, step: int) -> StepResult:
        """Train a step; if a GPU runs out of memory, use passes of half the size."""
        while True:
            try:
                return self._train(step)
            except torch.cuda.OutOfMemoryError as error:
                smaller = self._progress.tokens_per_pass // 2
                longest = self._run.plan.longest
                if smaller < longest or self._accelerator.num_processes > 1:
                    raise TrainingFailedError(
                        "The GPU's memory is not enough for one pass. Set gradient_checkpointing, "
                        f"or a smaller tokens_per_pass or max_length (the longest example has "
                        f"{longest:,} tokens).",
                        reason="out_of_memory",
                    ) from error
                self._progress = self._progress.model_copy(update={"tokens_per_pass": smaller})
                self._log.append("smaller_passes", step, tokens_per_pass=smaller)
                torch.cuda.empty_cache()

    def _train(self, step: int) -> StepResult:
        accelerator = self._accelerator
        processes = accelerator.num_processes
        plan = self._run.plan_batch(
            step, processes=processes, tokens_per_pass=self._progress.tokens_per_pass
        )
        batch = self._run.batch(step)
        size = self._objective.size(batch)
        seed_step(self._config.seed, step, accelerator.process_index)
        for optimizer in self._prepared:
            optimizer.zero_grad(set_to_none=True)
        loss = torch.zeros((), device=accelerator.device)
        by_example: dict[str, float] = {}
        figures: dict[str, float] = {}
        mine = plan.passes[accelerator.process_index]
        for number, places in enumerate(mine, start=1):
            items = [self._run.training.items[place] for place in places]
            waits = number < len(mine)
            # Otherwise each adapted layer would keep a copy of its input in the adapter's precision
            # for the backward pass, though autocast computes in the base's anyway.
            with (
                accelerator.no_sync(self._model) if waits else nullcontext(),
                disable_input_dtype_casting(self._model),
            ):
                with accelerator.autocast():
                    result = self._objective.measure(self._model, items)
                # Gradients are averaged over processes, and the loss is a mean over the step.
                accelerator.backward(result.total * (processes / size))
            loss += result.total.detach() / size
            by_example |= zip((item.id for item in items), result.by_example, strict=True)
            for name, value in result.figures.items():
                figures[name] = figures.get(name, 0.0) + value / len(batch)
        norm = float(
            whole(accelerator.clip_grad_norm_(self._model.parameters(), self._config.clip_norm))
        )
        total = float(accelerator.reduce(loss, "sum"))
        self._watch.check_step(step + 1, total, norm, by_example)
        for optimizer in self._prepared:
            optimizer.step()
        return StepResult(
            loss=total,
            gradient_norm=norm,
            tokens=sum(len(item) for item in batch),
            learnt=sum(item.trained for item in batch),
            by_example=self._gather(by_example),
            figures=figures,
        )

    def _gather(self, by_example: dict[str, float]) -> dict[str, float]:
        if self._accelerator.num_processes == 1:
            return by_example
        from accelerate.utils import gather_object

        return dict(gather_object(list(by_example.items())))

    def _evaluate(self) -> None:
        """Measure on the main process only: held-out sets are small, and the others wait.

        Each process has just a part of a sharded model, so then all of them measure the same.
        """
        progress = self._progress
        if self._accelerator.is_main_process or self._is_sharded:
            measured = measure_held_out(
                self._inner, self._objective, self._run.held_out, progress.tokens_per_pass
            )
            loss = measured.loss
            self._watch.check_held_out(progress.step, loss)
            is_best = progress.best_loss is None or loss < progress.best_loss
            progress = progress.model_copy(
                update={"best_loss": loss, "best_step": progress.step, "worse": 0}
                if is_best
                else {"worse": progress.worse + 1}
            )
            generations = answer_prompts(
                self._inner,
                self._run.tokenizer,
                self._run.held_out,
                count=self._config.generations,
                tokens=self._config.generation_tokens,
            )
            self._log_evaluation(progress, measured, generations)
        self._progress = self._agree(progress)
        if self._progress.worse == 0 and self._config.stop_after_worse is not None:
            self._save()

    def _log_evaluation(
        self, progress: Progress, measured: HeldOut, generations: list[Generation]
    ) -> None:
        if not self._accelerator.is_main_process:
            return
        step = progress.step
        is_best = progress.best_step == step
        self._log.append(
            "evaluation", step, loss=measured.loss, is_best=is_best, **measured.figures
        )
        if self._config.trackers:
            figures = {"loss": measured.loss, **measured.figures}
            named = {f"held_out_{name}": value for name, value in figures.items()}
            self._accelerator.log(named, step=step)
        for generation in generations:
            self._log.append("generation", step, **asdict(generation))

    def _is_worse_for_long(self) -> bool:
        patience = self._config.stop_after_worse
        return patience is not None and self._progress.worse >= patience

    def _end_with_best(self) -> Outcome:
        best = self._progress.best_step
        assert best is not None
        load_weights(checkpoint_of(self._run.folder.checkpoints, best), self._inner)
        self._write_result(self._inner)
        return self._succeed(
            "stopped_early",
            f"The held-out loss did not fall for {self._progress.worse} evaluations; the result "
            f"has the weights of step {best}.",
        )

    def _succeed(self, state: str, message: str) -> Outcome:
        notes = self._run.plan.notes
        return Outcome(state, self._progress.step, " ".join([message, *self._remarks, *notes]))

    def _save(self) -> None:
        is_main = self._accelerator.is_main_process
        if is_main or self._is_sharded:
            optimizers = [getattr(part, "optimizer", part) for part in self._prepared]
            learnt = collect(self._inner, optimizers)
            if is_main:
                keep = self._config.keep_checkpoints
                save_checkpoint(self._run.folder.checkpoints, self._progress, learnt, keep)
        self._accelerator.wait_for_everyone()

    def _resume(self, model: torch.nn.Module) -> Progress:
        run = self._run
        checkpoint, damaged = find_checkpoint(run.folder.checkpoints)
        self._remarks: tuple[str, ...] = ()
        if damaged:
            place = "its beginning" if checkpoint is None else checkpoint.name
            self._remarks = (
                f"The checkpoint {', '.join(damaged)} was damaged, so the run went on from "
                f"{place}.",
            )
        if checkpoint is None:
            return Progress(
                config_hash=run.config_hash,
                data_hash=run.data_hash,
                tokens_per_pass=run.config.tokens_per_pass,
            )
        progress = read_progress(checkpoint, config_hash=run.config_hash, data_hash=run.data_hash)
        load_weights(checkpoint, model)
        load_optimizers(checkpoint, self._optimizers)
        return progress

    def _write_result(self, model: Any) -> None:
        is_adapter = self._config.method == "lora"
        weights = None
        if self._is_sharded:  # an adapter's without its base, which no process needs in full
            weights = trained_weights(model) if is_adapter else full_weights(model)
        if not self._accelerator.is_main_process:
            return
        name = "adapter" if is_adapter else "model"
        place = self._run.folder.path / name
        if place.is_dir():
            return
        with atomic_folder(place) as fresh:
            model.save_pretrained(fresh, safe_serialization=True, state_dict=weights)
            if not is_adapter:
                self._run.tokenizer.save_pretrained(fresh)

    def _make_objective(self, model: torch.nn.Module) -> Objective:
        layout = {
            "packed": self._config.batching == "packed",
            "pad_id": int(self._run.tokenizer.pad_token_id or 0),
            "device": self._accelerator.device,
        }
        if self._config.objective == "imitation":
            return Imitation(**layout)
        if self._config.method == "lora":
            return Preference(**layout, beta=self._config.beta, reference=base_of_adapter)
        frozen = freeze_copy(model).to(self._accelerator.device)
        return Preference(**layout, beta=self._config.beta, reference=lambda _: nullcontext(frozen))

    def _must_stop(self) -> bool:
        return bool(self._agree(self._is_cancelled()))

    def _agree(self, value: Any) -> Any:
        """Return the main process's value in every process."""
        if self._accelerator.num_processes == 1:
            return value
        from accelerate.utils import broadcast_object_list

        return broadcast_object_list([value])[0]


def seed_step(seed: int, step: int, process: int) -> None:
    """Seed a step's random draws (dropout) from its number, so that no state must be restored."""
    torch.manual_seed((seed * 1_000_003 + step) * 1_009 + process)
