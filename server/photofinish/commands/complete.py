"""Shell completion."""

from typing import Literal

from photofinish.commands.shared.base import app


@app.command
def completion(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print the script that lets a shell complete the commands and options of photofinish.

    For bash: source <(photofinish completion bash). For zsh save it as _photofinish in a folder of $fpath, for fish
    as ~/.config/fish/completions/photofinish.fish.

    Parameters
    ----------
    shell
        Which shell.
    """
    print(app.generate_completion(prog_name="photofinish", shell=shell))
